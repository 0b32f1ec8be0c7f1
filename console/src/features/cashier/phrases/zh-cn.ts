// What the cashier says in one language, and nothing of the console: a chunk of its own.
export { cashier } from '@hengfu/phrases/zh-cn/cashier';
export { channels } from '@hengfu/phrases/zh-cn/channels';
export { errors } from '@hengfu/phrases/zh-cn/errors';
