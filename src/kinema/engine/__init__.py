"""The world: entities, components, systems, clock, run modes, profiler."""
