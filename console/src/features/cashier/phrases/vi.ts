// What the cashier says in one language, and nothing of the console: a chunk of its own.
export { cashier } from '@hengfu/phrases/vi/cashier';
export { channels } from '@hengfu/phrases/vi/channels';
export { errors } from '@hengfu/phrases/vi/errors';
