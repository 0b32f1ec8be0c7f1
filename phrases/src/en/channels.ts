export const channels = {
  CN_BANK: 'China bank transfer',
  VN_NAPAS: 'Vietnam bank transfer (NAPAS)',
  IN_IMPS: 'India bank transfer (IMPS)',
  BR_PIX: 'Brazil PIX',
  ownWords: 'Original message from the bank: {{words}}',
};
