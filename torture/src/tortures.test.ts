import { test } from 'vitest';
import { holds } from './holds.ts';
import { tortures } from './tortures.ts';

const together = Object.entries(tortures).filter(([, { isAlone }]) => !isAlone);

test.concurrent.for(together)('%s', ([, torture], { skip }) => holds(torture, skip));
