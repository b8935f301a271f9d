"""The sheet that shows a motion on one page, drawn in software, and charts."""
