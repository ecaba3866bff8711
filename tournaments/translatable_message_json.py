"""Storage of translatable messages as JSON: the untranslated template and the values of its placeholders."""
# A message is translated only when it is shown, into the language of the person who sees it.

from __future__ import annotations

import msgspec

from ftk_core.i18n import Message


def encode_message(message: str) -> str:
    """Return a text to store: JSON for a `Message` with values, any other message as it is.

    >>> decode_message(encode_message(Message("%(league)s is over", league="Night"))).template
    '%(league)s is over'
    """
    if not (isinstance(message, Message) and message.values):
        return str(message)
    return msgspec.json.encode(_pack(message)).decode()


def decode_message(stored: str) -> Message:
    """Return the message that `encode_message` stored. Any other text becomes a message without values."""
    try:
        packed = msgspec.json.decode(stored, type=_PackedMessage)
    except msgspec.DecodeError:
        return Message(stored)
    return _unpack(packed)


class _PackedMessage(msgspec.Struct, frozen=True, tag="message"):
    template: str
    values: dict[str, _PackedMessage | int | str]


def _pack(message: Message) -> _PackedMessage:
    values = {
        name: _pack(value) if isinstance(value, Message) else value if isinstance(value, int) else str(value)
        for name, value in message.values.items()
    }
    return _PackedMessage(message.template, values)


def _unpack(packed: _PackedMessage) -> Message:
    values = {
        name: _unpack(value) if isinstance(value, _PackedMessage) else value for name, value in packed.values.items()
    }
    return Message(packed.template, **values)
