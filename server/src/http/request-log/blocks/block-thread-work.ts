import { workerData } from 'node:worker_threads';
import { answerCalls } from '#threads/own-thread.ts';
import { BlockMaking, type FieldsByPath } from './block-making.ts';
import type { BlockAnswer, BlockQuestion } from './block-thread.ts';

const fields: FieldsByPath = workerData;
const making = new BlockMaking(fields);

answerCalls<BlockQuestion, BlockAnswer>(async (all) => all.map((calls) => making.blockOf(calls)));
