import { keepCompiled } from '#process/compiled.ts';

keepCompiled();
await import('./program.ts');
