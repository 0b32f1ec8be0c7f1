// The cashier's phrases in one language, in a chunk of their own without the console's phrases.
export { cashier } from '@hengfu/phrases/en/cashier';
export { channels } from '@hengfu/phrases/en/channels';
export { receipts } from '@hengfu/phrases/en/receipts';
