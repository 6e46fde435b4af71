import type { Figure } from '../../../scripts/figures/figure.ts'
import { counted } from '../figures/figures.ts'
import type { Year } from './make-year.ts'

/** Smaller parts are named together. */
const LEAST_NAMED_BYTES = 5

/** Lists the bytes of a task, and of a write by table and index. */
export function figuresOf(
  { tasks, writes, events, service, history }: Year,
  { readModelBytes }: { readModelBytes: number },
): Figure[] {
  const sum = (sizes: Year['service']) => sizes.reduce((total, { bytes }) => total + bytes, 0)
  const round = (value: number) => Math.round(value * 10) / 10
  const total = readModelBytes + (sum(service) + sum(history)) / tasks
  return [
    counted('bytes kept a task with four writes, a year after the last', round(total), { most: 15_000 }),
    counted('of it rows of the read model', round(readModelBytes)),
    counted('of it rows of the service', round(sum(service) / tasks)),
    counted('of it events of the served history', round(sum(history) / tasks)),
    counted('tasks of the year', tasks),
    counted('bytes of the service a write', round(sum(service) / writes)),
    counted('events of a task with four writes', round(events / tasks)),
    counted('bytes of the served history an event', round(sum(history) / events)),
    ...service
      .map(({ name, bytes }) => counted(`bytes a write of ${name}`, round(bytes / writes)))
      .filter(({ median }) => median >= LEAST_NAMED_BYTES),
  ]
}
