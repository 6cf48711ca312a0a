"""Write every dashboard."""

from dashboards.boards import BOARDS
from dashboards.grafana import FOLDER, text

for board in BOARDS:
    (FOLDER / f"{board.name}.json").write_text(text(board))
