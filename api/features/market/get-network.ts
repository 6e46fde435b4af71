import { z } from 'zod'
import { addressOut, toAddress } from '../../http/response-schemas.ts'
import { defineRoute } from '../define-route.ts'
import { feedbackBaseOf } from '../feedback-base.ts'

/** Names of the chains the market can stand on. */
const NETWORK_NAMES: Record<number, string> = { 8453: 'base' }

/** Interface, "Identity, devices, wallet": `network.info`. */
export const getNetwork = defineRoute({
  operationId: 'getNetwork',
  method: 'get',
  path: '/network',
  tag: 'service',
  summary: 'Name the chain and its USDC',
  responses: {
    200: {
      description: 'The chain of this service.',
      schema: z.object({
        networkName: z.string(),
        chainId: z.int(),
        usdcAddress: addressOut,
        feedbackBase: z
          .url()
          .meta({ description: 'The `feedbackURI` of a rating is this text and the id of the rating.' }),
      }),
    },
  },
  handler: async ({ config, deployment }) => ({
    networkName: NETWORK_NAMES[deployment.chainId] ?? `eip155:${deployment.chainId}`,
    chainId: deployment.chainId,
    usdcAddress: toAddress(deployment.usdc),
    feedbackBase: feedbackBaseOf(config),
  }),
})
