"""Texts for people who play Kings Court."""

from __future__ import annotations

from collections.abc import Sequence

from ftk_core.facts import Action
from ftk_core.games.kings_court.catalogue import QUESTIONS
from ftk_core.games.kings_court.claims import Claim, Take
from ftk_core.games.kings_court.facts import Accuse, Ask, Choose, Dismiss, Help, Hide, Say
from ftk_core.games.kings_court.words import claim_in_words, diamonds, role_name, take_in_words
from ftk_core.hands import ByHand, kind_of_action

PHRASES = {
    "en": {
        "hide": "Hide {what}",
        "dismiss": "Dismiss {what}",
        "help": "Take {what}",
        "fumble": "Break the rules of helping oneself, and be exiled",
        "ask": "Ask {who}: {what}",
        "say": "Say: {what}",
        "dont_know": "Say that you do not know",
        "silence": "Say nothing",
        "accuse": "To {who}: empty your pockets!",
        "stay": "Let the accusation go on",
        "halt": "Cry HAULT!",
        "choose": "Win with {who}",
    },
    "zh-Hant": {
        "hide": "藏起{what}",
        "dismiss": "移除{what}",
        "help": "拿走{what}",
        "fumble": "違反拿取規則，遭到放逐",
        "ask": "問 {who}：{what}",
        "say": "說：{what}",
        "dont_know": "說不知道",
        "silence": "不說話",
        "accuse": "對 {who} 說：把口袋掏空！",
        "stay": "讓指控繼續",
        "halt": "大喊：住手！",
        "choose": "與 {who} 一同獲勝",
    },
}
GUIDE = {
    "en": {
        "hide": "You are the King. Keep up to three diamonds out of the box in secret: then nobody can tell from what "
        "is missing what others took.",
        "dismiss": "You are the first to hold the box: you may turn one character over, which nobody can take then.",
        "help": "Help yourself in secret. With diamonds you are a Thief and win with most of them, if the King is "
        "driven out; a character decides with whom you win; with nothing at all you are a Street Urchin.",
        "ask": "Ask a subject, announce something, or accuse. Anybody may lie. The King wins when all stolen diamonds "
        "are back; a wrong accusation costs a gift, and once there is none he is exiled.",
        "say": "You may say whatever is of the right kind, true or not, or nothing at all. It binds nobody.",
        "accuse": "Whoever you accuse empties the pockets: a Thief is exiled, a Usurper wins at once, anybody else was "
        "a mistake.",
        "stay": "Everybody is asked whether to cry HAULT, so that the asking betrays nobody; only the Guard is heard.",
        "choose": "You are the Princess, and win with one of those that have most diamonds: choose.",
    },
    "zh-Hant": {
        "hide": "你是國王。可祕密留下最多三顆鑽石，這樣沒有人能從短少的數目推知別人拿了什麼。",
        "dismiss": "你最先拿到寶盒：可以翻開一張角色牌，之後沒有人能拿它。",
        "help": "祕密拿取。拿鑽石就是盜賊，國王被放逐時鑽石最多者獲勝；"
        "角色牌決定你與誰一同獲勝；什麼都沒拿就是街頭頑童。",
        "ask": "你可以問話、宣布或指控。任何人都可以說謊。被偷的鑽石全部尋回時國王獲勝；"
        "指控錯誤要付出一份禮物，沒有禮物就被放逐。",
        "say": "你可以說任何合乎題目的話，真假都行，也可以不說。說過的話沒有約束力。",
        "accuse": "被指控者必須掏空口袋：盜賊遭放逐，篡位者立刻獲勝，其他人則表示國王弄錯了。",
        "stay": "每個人都會被問是否大喊住手，這樣提問不會洩漏身分；只有衛兵的喊聲有效。",
        "choose": "你是公主，與鑽石最多者之一一同獲勝：請選擇。",
    },
}


def phrase(action: Action, names: Sequence[str], language: str) -> str:
    """Describe an item of the menu in a sentence."""
    words = PHRASES.get(language, PHRASES["en"])[kind_of_action(action)]
    match action:
        case Hide(count=count):
            return words.format(what=diamonds(count, language))
        case Dismiss(card=card):
            return words.format(what=role_name(card, language))
        case Help(diamonds=number, card=card, fake=fake):
            return words.format(what=take_in_words(Take(number, card, fake), language))
        case Ask(seat=seat, topic=topic, about=about):
            question = QUESTIONS.get(language, QUESTIONS["en"])[topic]
            return words.format(who=names[seat], what=question.format(about="" if about is None else names[about]))
        case Say(claim=claim):
            return words.format(what=claim_in_words(claim, names, language))
        case Accuse(seat=seat) | Choose(seat=seat):
            return words.format(who=names[seat])
    return words


def touches(action: Action, seat: int) -> tuple[str, ...]:
    """Return the contents of the box, the cards and the seats that an item concerns."""
    match action:
        case Hide():
            return ("the-box",)
        case Dismiss(card=card):
            return (f"saw-{seat}-{card}",) if card else ()
        case Help(diamonds=number, card=card, fake=fake):
            named = ((f"saw-{seat}", number), (f"saw-{seat}-{card}", card), (f"saw-{seat}-fake", fake))
            return tuple(key for key, taken in named if taken)
        case Ask(seat=asked, about=about):
            return (f"seat-{asked}",) if about is None else (f"seat-{asked}", f"seat-{about}")
        case Say(claim=claim):
            return _about(claim)
        case Accuse(seat=accused) | Choose(seat=accused):
            return (f"seat-{accused}",)
    return ()


def _about(claim: Claim) -> tuple[str, ...]:
    seats = () if claim.seat is None else (f"seat-{claim.seat}",)
    return (*seats, *dict.fromkeys(f"cast-{card}" for card in claim.cards or ()))


BY_HAND = ByHand(phrase=phrase, touches=touches, guide=GUIDE, adviser="sleuth")
