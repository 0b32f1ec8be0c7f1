// The cashier's phrases in one language, in a chunk of their own without the console's phrases.
export { cashier } from '@hengfu/phrases/zh-cn/cashier';
export { channels } from '@hengfu/phrases/zh-cn/channels';
export { receipts } from '@hengfu/phrases/zh-cn/receipts';
