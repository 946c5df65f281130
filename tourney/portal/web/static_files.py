"""Style sheets and scripts of the portal, which are read once and answered from memory."""

from hashlib import sha256
from mimetypes import guess_type
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response


class StaticFiles:
    """Answers with the files of a folder; what Starlette calls."""

    def __init__(self, folder: Path) -> None:
        """Read them."""
        self._files = {
            path.name: (path.read_bytes(), guess_type(path.name)[0] or "text/plain")
            for path in folder.iterdir()
            if path.is_file()
        }
        self._tags = {
            name: f'"{sha256(content).hexdigest()[:32]}"'
            for name, (content, _) in self._files.items()
        }

    async def __call__(self, request: Request) -> Response:
        """Answer with a file, or say that the browser has it already."""
        name = request.path_params["name"]
        if name not in self._files:
            raise HTTPException(404)
        headers = {"etag": self._tags[name], "cache-control": "no-cache"}
        if request.headers.get("if-none-match") == headers["etag"]:
            return Response(status_code=304, headers=headers)
        content, kind = self._files[name]
        return Response(content, headers=headers, media_type=kind)
