import { randomUUID } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { makeSecret, signMessage } from '../../../api/events/webhooks/webhook-secret.ts'

const settings = { DEVICE_KEY_SECRET: [] as string[], URL_SIGNING_SECRET: 'the secret of signed URLs, long enough' }
const webhookId = randomUUID()
const message = { id: '9f2c4e7a10b3-42', timestamp: Math.floor(Date.now() / 1000), body: '{"kind":"task.created"}' }

test('given a message, then the text that is signed is that of Standard Webhooks', () => {
  // The example of the specification's libraries.
  const webhook = new Webhook('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')
  const time = new Date(1_614_265_330_000)
  const signature = webhook.sign('msg_p5jXN8AQM9LWM0D4loKWxJek', time, '{"test": 2432232314}')
  expect(signature).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
})

test('given a secret, then its holder verifies, and a change of id, time, body or secret is found', () => {
  const { shown, sealed } = makeSecret(settings, webhookId)
  const { headers, body } = signMessage(settings, { webhookId, sealed, earlier: null }, message)
  expect(new Webhook(shown).verify(body, headers)).toEqual({ kind: 'task.created' })
  const later = { ...headers, 'webhook-timestamp': String(message.timestamp + 1) }
  expect(() => new Webhook(shown).verify(body, later)).toThrow()
  expect(() => new Webhook(shown).verify(body, { ...headers, 'webhook-id': 'other' })).toThrow()
  expect(() => new Webhook(shown).verify(`${body} `, headers)).toThrow()
  expect(() => new Webhook(makeSecret(settings, webhookId).shown).verify(body, headers)).toThrow()
})

test('given an earlier secret that no setting opens any more, then the new one signs alone', () => {
  const lost = makeSecret({ ...settings, DEVICE_KEY_SECRET: ['a secret that is lost, long enough for it'] }, webhookId)
  const { shown, sealed } = makeSecret(settings, webhookId)
  const { headers, body } = signMessage(settings, { webhookId, sealed, earlier: lost.sealed }, message)
  expect(new Webhook(shown).verify(body, headers)).toEqual({ kind: 'task.created' })
  const secrets = { webhookId, sealed: lost.sealed, earlier: sealed }
  expect(() => signMessage(settings, secrets, message)).toThrow(/no secret opens the webhook-secret/)
})
