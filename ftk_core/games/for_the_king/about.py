"""Explanations of each piece by its tags: its effect and the rule that defines it, shown on hover."""

ABOUT = {
    "en": {
        "government": "Government card. At the end whoever holds most of an office gets its Primary Duty, the next one "
        "its Secondary Duty; the letter breaks ties (F25-F28).",
        "gold": "Gold. It pays for government cards and Kings, without change (F16). A gold card on offer is paid "
        "with any cards, face down.",
        "king": "King card. It raises or lowers Primary Duties as it says, within 1 to 6, and must be used at once "
        "(F1-F5).",
        "primary": "Primary Duty: the points for whoever holds most of this office at the end.",
        "secondary": "Secondary Duty: half the Primary, rounded down, for the second in this office (F6).",
        "hidden": "A card face down: only those who were dealt or laid it know it (F8, F9).",
    },
    "zh-Hant": {
        "government": "政府卡。終局時該職位點數最多者獲得主要職位，其次者獲得次要職位；平手比字母（F25-F28）。",
        "gold": "黃金。用來支付政府卡與國王卡，不找零（F16）。競標黃金卡時，以任意手牌面朝下支付。",
        "king": "國王卡。依牌面提高或降低主要職位，範圍 1 至 6，必須立即使用（F1-F5）。",
        "primary": "主要職位：終局時該職位點數最多者獲得的分數。",
        "secondary": "次要職位：主要職位的一半，無條件捨去，由第二名獲得（F6）。",
        "hidden": "面朝下的卡牌：只有拿到或放下它的人知道內容（F8、F9）。",
    },
}
