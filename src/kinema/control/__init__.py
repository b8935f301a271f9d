"""Characters that obey: controllers, their commands, and the stages that follow every controller."""
