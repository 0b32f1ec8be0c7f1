import { keepCompiled } from '#compiled.ts';

keepCompiled();
await import('./program.ts');
