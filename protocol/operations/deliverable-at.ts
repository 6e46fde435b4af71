import type { Hex } from 'viem'
import type { Facts } from '../operation.ts'

/**
 * Returns the deliverable that is paid to the winner with the given index in the request.
 * Example: `deliverableAt({ deliverables: ['0x11..', '0x22..'] }, 1)` is `0x22..`.
 * @throws if the service has read fewer deliverables than the request has winners
 */
export function deliverableAt({ deliverables }: Pick<Facts, 'deliverables'>, index: number): Hex {
  const deliverable = deliverables[index]
  if (deliverable === undefined) throw new Error(`no deliverable was read for winner ${index + 1}`)
  return deliverable
}
