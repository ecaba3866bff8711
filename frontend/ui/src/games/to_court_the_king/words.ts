/** What the characters of To Court the King say beside their names. */

export const WORDS = { en: { used: 'used' }, 'zh-Hant': { used: '已用' } } as const;
