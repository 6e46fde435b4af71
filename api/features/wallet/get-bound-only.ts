import { z } from 'zod'
import { paymentForwarderAbi } from '../../../abis/payment-forwarder.ts'
import { address } from '../../http/request-schemas.ts'
import { defineRoute } from '../define-route.ts'

const switchSchema = z
  .object({
    boundOnly: z.boolean().meta({ description: 'Whether the wallet takes bound calls alone.' }),
    counter: z
      .string()
      .regex(/^[0-9]+$/)
      .meta({ description: 'The counter that the next signed switch must name.' }),
  })
  .meta({ id: 'BoundOnly' })

/**
 * Returns whether a wallet accepts only payments and signed texts that are bound to one call. See the interface
 * specification, "Bound payments".
 *
 * Example: `GET /api/wallet/bound-only?address=0x14dC..` answers `{"boundOnly": true, "counter": "1"}`.
 */
export const getBoundOnly = defineRoute({
  operationId: 'getBoundOnly',
  method: 'get',
  path: '/wallet/bound-only',
  tag: 'wallet',
  summary: 'Tell whether a wallet takes bound payments and call-bound texts alone',
  description: 'Public, read from the chain. `false` for every wallet where the deployment takes no bound payments.',
  query: z.object({ address }),
  responses: { 200: { description: 'The switch of the wallet.', schema: switchSchema } },
  handler: async ({ chain, deployment }, { query: { address: wallet } }) => {
    if (deployment.bound !== true) return { boundOnly: false, counter: '0' }
    const contract = { address: deployment.forwarder, abi: paymentForwarderAbi, args: [wallet] } as const
    const [boundOnly, counter] = await Promise.all([
      chain.readContract({ ...contract, functionName: 'boundOnly' }),
      chain.readContract({ ...contract, functionName: 'boundOnlyCounter' }),
    ])
    return { boundOnly, counter: counter.toString() }
  },
})
