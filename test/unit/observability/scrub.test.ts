import { describe, expect, it } from 'vitest'
import { secretsOf } from '../../../api/observability/secrets-of.ts'
import { createRedact } from '../../../api/text/redact.ts'
import { signerUrls } from '../../../settings/values.ts'

const key = `0x${'Ab'.repeat(32)}`
const redact = createRedact(
  secretsOf({
    DATABASE_URL: 'postgres://market:pass%40word-1@db.internal:5432/market?sslmode=require',
    RPC_URLS: ['https://base.example.org/v2/aBcDeFgHiJkL'],
    RELAYER_KEYS: [key],
    RELAYER_SIGNERS: signerUrls.parse(`web3signer:https://relayer:open%20sesame@signer.internal/0x${'11'.repeat(20)}`),
    cloud: { AWS_SECRET_ACCESS_KEY: 'a secret of a role', AWS_SESSION_TOKEN: 'a session of it' },
    URL_SIGNING_SECRET: 'a secret that signs (URLs)',
    DEVICE_KEY_SECRET: ['a secret that seals keys'],
    S3_ACCESS_KEY_ID: 'AKIAIOSFODNN7EXAMPLE',
    S3_SECRET_ACCESS_KEY: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  }),
)

describe('redact', () => {
  it.each([
    ['a relayer key, in any case, with or without 0x', `key ${key.slice(2).toLowerCase()} ${key}`, /ab{2}|Ab/],
    ['the signing secret', 'x a secret that signs (URLs) y', /signs/],
    ['a sealing secret', 'x a secret that seals keys y', /seals/],
    ['a key of the storage', 'key AKIAIOSFODNN7EXAMPLE wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY', /AKIA|wJal/],
    ['the password of a signer', `open sesame ${btoa('relayer:open sesame')}`, /sesame|cmVs/],
    ['credentials of a cloud', 'a secret of a role, a session of it', /role|session/],
    ['a signed upload URL', 'https://s3.example.org/b/k?X-Amz-Signature=4f1506', /X-Amz-Signature|4f1506/],
    ['a password, as written and as decoded', 'pass%40word-1 pass@word-1', /word-1/],
    ['a key in the path of the RPC URL, alone too', 'invalid key aBcDeFgHiJkL', /aBcDeFgHiJkL/],
    ['a signature', `0x${'12'.repeat(65)}`, /1212/],
    ['a payment header', Buffer.from('{"x402Version":2,"payload":{}}').toString('base64'), /eyJ/],
  ])('given %s, then it is removed', (_, text, secret) => {
    expect(text).toMatch(secret)
    expect(redact(text)).not.toMatch(secret)
  })

  it.each([
    ['https://user:pw@rpc.example.org:8545/v3/k?apikey=1#x is down', 'https://rpc.example.org:8545 is down'],
    ['postgres://a:b@[::1]:5432/db refused', 'postgres://[::1]:5432 refused'],
    ['{"url":"wss://h/secret","n":1}', '{"url":"wss://h","n":1}'],
    ['say \\"http://h/secret\\" again', 'say \\"http://h\\" again'],
  ])('given %s, then scheme and host are kept', (text, rest) => {
    expect(redact(text)).toBe(rest)
  })

  it.each([
    `hash 0x${'ab12'.repeat(16)} by 0x${'34'.repeat(20)}`,
    'intent 6f1c1c9e-5b7b-4b4f-9a0e-0c3b1b2d4e5f',
    'at run (file:///srv/app/api/main.ts:10:3)',
    'WrongStatus(9), 1000000 base units, postgres',
  ])('given %s, then it is not changed', (text) => {
    expect(redact(text)).toBe(text)
  })
})
