import { answerCalls, lowerThreadPriority } from '#threads/own-thread.ts';
import { drawReceipt, type PrintedReceipt } from './draw-receipt.ts';

lowerThreadPriority();
answerCalls<PrintedReceipt, Uint8Array>(drawReceipt);
