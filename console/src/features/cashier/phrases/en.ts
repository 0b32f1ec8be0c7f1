// What the cashier says in one language, and nothing of the console: a chunk of its own.
export { cashier } from '@hengfu/phrases/en/cashier';
export { channels } from '@hengfu/phrases/en/channels';
export { errors } from '@hengfu/phrases/en/errors';
