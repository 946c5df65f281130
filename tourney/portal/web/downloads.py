"""Downloads of source files, which browsers never execute."""

from pathlib import PurePosixPath

from starlette.responses import Response

from tourney.portal.versions import Files


def as_text(files: Files, mark: str = "") -> Response:
    """Give files as one download that browsers do not execute.

    Args:
        files: The files.
        mark: Prefix of the download's name, so that names differ.
    """
    single = len(files) == 1
    name = f"{mark}{mark and '-'}{PurePosixPath(files[0][0]).name}" if single else "source.txt"
    text = files[0][1] if single else "".join(f"===== {path}\n{text}\n" for path, text in files)
    ascii_name = "".join(c if c.isascii() and (c.isalnum() or c in "._-") else "_" for c in name)
    return Response(
        text,
        media_type="text/plain; charset=utf-8",
        headers={"content-disposition": f'attachment; filename="{ascii_name}"'},
    )
