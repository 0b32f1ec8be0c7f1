import { test } from 'vitest';
import { holds } from './holds.ts';
import { tortures } from './tortures.ts';

const large = Object.entries(tortures).filter(([, { isForBuildServers }]) => isForBuildServers);

test.for(large)('%s', ([, torture], { skip }) => holds(torture, skip));
