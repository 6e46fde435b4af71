/**
 * `npm run bench -- attack`: what plain paid writes wait while contract wallets attack the relay, and while analysts
 * send hostile queries, beside the same writes on the same service without an attack. Prints figures and keeps them in
 * docs/internals/benchmarks/figures.json.
 *
 *   --quick    small samples, nothing written
 */

import { readOptions } from '../../ops/process/read-options.ts'
import type { Figure } from '../../scripts/figures/figure.ts'
import { startProgress } from '../../scripts/stack/progress.ts'
import { startAttackStack } from './attack/attack-stack.ts'
import { attacks } from './attack/attacks.ts'
import { measureAttack } from './attack/measure.ts'
import { beginBenchmark, tellFigures } from './figures/benchmark.ts'
import { createSeededRandom } from './figures/statistics.ts'
import { closeConnections } from './writes/http-client.ts'
import { createPrebuilder } from './writes/prebuilt.ts'

const { values } = readOptions({
  options: { quick: { type: 'boolean', default: false } },
})

const seed = 20_260_101
const samples = values.quick
  ? { blocks: 2, writes: 20, inFlight: 4, attackers: 24 }
  : { blocks: 6, writes: 60, inFlight: 4, attackers: 24 }

await beginBenchmark()
const progress = startProgress()
const stack = await progress.step(
  () => startAttackStack(),
  ({ postgres }) => `a stack of its own is up, Postgres from ${postgres}`,
)
try {
  const bench = { stack, random: createSeededRandom(seed), prebuilder: await createPrebuilder(stack) }
  const figures: Figure[] = []
  for (const attack of attacks) {
    const measured = await progress.step(
      () => measureAttack(bench, attack, samples),
      () => attack.name,
    )
    figures.push(...measured)
  }
  tellFigures('attack', figures, { isQuick: values.quick, seed, samples, postgres: stack.postgres })
} finally {
  closeConnections()
  await stack.stop()
}
