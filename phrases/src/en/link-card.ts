export const linkCard = {
  scan: 'Scan to pay',
};
