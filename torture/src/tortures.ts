import { backup } from './backup.ts';
import { bank } from './bank.ts';
import { channel } from './channel.ts';
import { clock } from './clock.ts';
import { crash } from './crash.ts';
import { disk } from './disk.ts';
import { double } from './double.ts';
import { failover } from './failover.ts';
import { fair } from './fair.ts';
import { fuzz } from './fuzz.ts';
import { model } from './model.ts';
import { network } from './network.ts';
import { pointInTime } from './point-in-time.ts';
import { power } from './power.ts';
import { restart } from './restart.ts';
import type { Torture } from './torture.ts';
import { upgrade } from './upgrade.ts';

/** All tortures by name, in the order in which they run. */
export const tortures: Readonly<Record<string, Torture>> = {
  crash,
  double,
  bank,
  model,
  channel,
  fuzz,
  backup,
  'point-in-time': pointInTime,
  upgrade,
  restart,
  clock,
  power,
  network,
  disk,
  fair,
  failover,
};
