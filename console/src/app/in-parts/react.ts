import 'react-dom/client';
import { nextTask } from '../../platform/next-task.ts';

// Splits start-up into tasks: React runs in this one, its importers in the next. Input is handled in between.
await nextTask();
