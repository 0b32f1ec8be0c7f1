import { test } from 'vitest';
import { holds } from './holds.ts';
import { tortures } from './tortures.ts';

const alone = Object.entries(tortures).filter(([, { isAlone }]) => isAlone);

test.for(alone)('%s', ([, torture], { skip }) => holds(torture, skip));
