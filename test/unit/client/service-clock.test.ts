import { describe, expect, test } from 'vitest'
import { createServiceClock } from '../../../client/src/http/service-clock.ts'

const host = () => Math.floor(Date.now() / 1000)
const remote = { url: 'https://market.example', isLocal: false }
const clockAfter = async (headers: Record<string, string>, isLocal = false) => {
  const clock = createServiceClock(async () => new Response('{}', { headers }), { ...remote, isLocal })
  await clock.fetch('https://market.example/api/network')
  return (await clock.now()) - host()
}

describe('The clock of a client without a node', () => {
  test.each([
    ['no header', {}, 0],
    ['a block of two minutes before', { 'X-Service-Block-Timestamp': String(host() - 120) }, -120],
    [
      'an old block with its age',
      { 'X-Service-Block-Timestamp': String(host() - 400), 'X-Service-Head-Age': '400' },
      0,
    ],
    ['a service that is a year ahead', { 'X-Service-Block-Timestamp': String(host() + 31_536_000) }, 600],
    ['a service of 1970', { 'X-Service-Block-Timestamp': '1' }, -600],
    ['no number', { 'X-Service-Block-Timestamp': 'soon' }, 0],
  ])('given %s, then it is that far from this machine’s, ten minutes at most', async (_, headers, seconds) => {
    expect(Math.abs((await clockAfter(headers)) - seconds)).toBeLessThanOrEqual(1)
  })

  test('given a local chain that is a year ahead, then the clock is a year ahead', async () => {
    const headers = { 'X-Service-Block-Timestamp': String(host() + 31_536_000) }
    expect(Math.abs((await clockAfter(headers, true)) - 31_536_000)).toBeLessThanOrEqual(1)
  })

  test('given no answer yet, then the service is asked before anything is signed, once', async () => {
    const asked: string[] = []
    const answer = async (url: unknown) => {
      asked.push(String(url))
      return new Response('{}', { headers: { 'X-Service-Block-Timestamp': String(host() - 590) } })
    }
    const clock = createServiceClock(answer, remote)
    for (let count = 0; count < 2; count += 1)
      expect(Math.abs((await clock.now()) - host() + 590)).toBeLessThanOrEqual(1)
    expect(asked).toEqual(['https://market.example/api/health'])
  })

  test('given a service that is away, then it is the clock of this machine', async () => {
    const clock = createServiceClock(() => Promise.reject(new Error('away')), remote)
    expect(Math.abs((await clock.now()) - host())).toBeLessThanOrEqual(1)
  })
})
