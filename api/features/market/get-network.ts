import { z } from 'zod'
import { addressOut, toAddress } from '../../http/response-schemas.ts'
import { defineRoute } from '../define-route.ts'
import { feedbackBaseOf } from '../feedback-base.ts'

/**
 * Returns the chain of this service and the address of USDC on that chain. See the interface specification, "Identity,
 * devices, wallet".
 *
 * Example: `GET /api/network` answers `{"networkName": "base", "chainId": 8453, "usdcAddress": "0x8335..",
 * "feedbackBase": "http://127.0.0.1.."}`.
 */
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
    networkName: deployment.name,
    chainId: deployment.chainId,
    usdcAddress: toAddress(deployment.usdc),
    feedbackBase: feedbackBaseOf(config),
  }),
})
