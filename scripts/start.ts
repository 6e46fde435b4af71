/**
 * `npm start`: starts the whole stack on this machine. Ctrl-C stops all of it. The next start continues the same
 * chain and tables.
 *
 *   npm start -- --reset     starts with a new chain and empty tables
 *   npm start -- --no-seed   without demo tasks
 *   npm start -- --no-standby   without the standby for analysts, so without SQL
 *   FORK_URL=<rpc of Base> npm start            a copy of Base with the real USDC and registries
 *   LOCAL_NETWORK=base-sepolia npm start        imitates another network of deployments/ instead of Base
 *   DATABASE_URL=postgres://... npm start       uses this Postgres server, with a separate database
 */
import { readOptions } from '../ops/process/read-options.ts'
import { launchUntilStopped } from './stack/launch.ts'
import { createLocalStack } from './stack/local-stack.ts'
import { startProgress } from './stack/progress.ts'

const { values } = readOptions({
  options: {
    reset: { type: 'boolean', default: false },
    'no-seed': { type: 'boolean', default: false },
    'no-standby': { type: 'boolean', default: false },
  },
})

await launchUntilStopped(
  createLocalStack({
    reset: values.reset,
    seed: !values['no-seed'],
    standby: !values['no-standby'],
    forkUrl: process.env.FORK_URL,
    databaseUrl: process.env.DATABASE_URL,
    progress: startProgress(),
  }),
)
