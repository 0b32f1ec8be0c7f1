import 'react-dom/client';
import { nextTask } from '../../platform/next-task.ts';

// Importers wait here: React's code has run in one task, theirs runs in the next. A slow machine hears clicks in between.
await nextTask();
