/** The modes of a merchant. A test merchant belongs to a live one, and moves no real money. */
export const merchantModes = ['live', 'test'] as const;
export type MerchantMode = (typeof merchantModes)[number];
