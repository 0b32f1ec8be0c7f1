import { keepCompiled } from '#process/compiled.ts';
import { widenThreadPool } from '#threads/thread-pool.ts';

widenThreadPool();
keepCompiled();
await import('#process/program.ts');
