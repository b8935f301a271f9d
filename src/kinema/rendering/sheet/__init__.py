"""The sheet that shows a motion on one page, and charts."""
