import type { Hex } from 'viem'
import type { Facts } from '../operation.ts'

/** The deliverable that the winner at `index` is paid for. @throws when fewer were read than the request has winners */
export function deliverableAt({ deliverables }: Pick<Facts, 'deliverables'>, index: number): Hex {
  const deliverable = deliverables[index]
  if (deliverable === undefined) throw new Error(`no deliverable was read for winner ${index + 1}`)
  return deliverable
}
