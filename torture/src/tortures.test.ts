import { test } from 'vitest';
import { holds } from './holds.ts';
import { tortures } from './tortures.ts';

const small = Object.entries(tortures).filter(([, { isForBuildServers }]) => !isForBuildServers);

test.concurrent.for(small)('%s', ([, torture], { skip }) => holds(torture, skip));
