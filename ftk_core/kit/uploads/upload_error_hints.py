"""Error for invalid uploads, with a hint for each error code; and the reserved file names, such as the manifest."""

from __future__ import annotations

ENTRY_POINT = "bot.py"
MANIFEST = "bot.toml"
COMPILED_BOT_FILE, COMPILER_OUTPUT_FILE = "bot.out", "bot.log"
"""Names of a compiled bot and of the compiler's output in its folder: an upload must not contain them."""
REMEDIES = {
    "empty": "send one .py file or a .zip archive",
    "too_large": "leave out what the bot does not need",
    "wrong_type": "send one .py file or a .zip archive",
    "not_a_zip": "pack the files anew, with an ordinary zip program",
    "too_many_files": "leave out what the bot does not need",
    "bad_path": "use short relative paths of letters, digits, '_', '-' and '.', without hidden files and __pycache__",
    "reserved": "give it another name",
    "twice": "give every file a name of its own, also without regard to case",
    "not_a_file": "pack plain files only",
    "encrypted": "pack without a password",
    "compression": "pack with the ordinary method, deflate",
    "bomb": "leave out what the bot does not need",
    "data_too_large": "save 16-bit numbers, or fewer of them",
    "not_data": "save it as .npy, .npz or .safetensors, or plain numbers as .bin",
    "wrong_suffix": "send sources, tables and weights only, nothing compiled and no archives",
    "no_entry_point": f"put {ENTRY_POINT} at the top of the archive, or a {MANIFEST} that names the command",
    "bad_manifest": f'write one line into {MANIFEST}: command = "python {ENTRY_POINT}"',
    "prebuilt": "send sources; `/write-a-bot/` says what this arena can build",
    "wrong_program": "link it statically, for the arena's machine, and name it as the command says",
    "not_python": "save the source as UTF-8 text",
    "not_text": "send sources and tables only, as text without NUL bytes",
}
"""Code of the refusal -> remedy for the author."""


class InvalidUploadError(Exception):
    """Raised for an invalid upload. `code` is a short and stable error code."""

    def __init__(self, code: str, message: str) -> None:
        remedy = REMEDIES.get(code)
        super().__init__(f"{message}: {remedy}" if remedy else message)
        self.code = code
