import { z } from 'zod'
import { address, unixSeconds, walletSignature } from '../../http/request-schemas.ts'
import { addressOut } from '../../http/response-schemas.ts'

export const consentQuery = z.object({ address })

export const consentSchema = z.object({
  required: z.boolean().meta({ description: 'Whether a paid write of this wallet must name its request.' }),
})

export const consentSwitchSchema = z.object({
  walletAddress: address,
  required: z.boolean().meta({ description: '`true` switches consent on, `false` off.' }),
  timestamp: unixSeconds.meta({
    description: 'Unix seconds: at most 300 from now either way, and later than the last switch’s.',
  }),
  signature: walletSignature.meta({
    description:
      'EIP-191 by the wallet over ' +
      '`service:consent:<on|off>:<chainId>:<lower-case forwarder>:<lower-case wallet>:<timestamp>`.',
  }),
})

export const switchedSchema = z.object({ walletAddress: addressOut, required: z.boolean() })
