import './router.ts';
import '../shell-frame.tsx';
import { nextTask } from '../../platform/next-task.ts';

await nextTask();
