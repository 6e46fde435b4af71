import { expect, test } from 'vitest'
import { addressOf, openClicking } from './clicking.ts'
import { expectHarmless } from './hostile-texts.ts'

const { visit, act, deliver } = openClicking()

/** Tags, a change of direction, a control, a quote that would end an attribute, a link that would run. */
const hostile =
  '"><img src=x onerror=alert(1)> \u202egnp.exe\u0007 </textarea><script>alert(2)</script> javascript:alert(3)'

test('given hostile texts of a task, a pitch, a file and a rating, then no page and no dialog runs or hides anything', async () => {
  const requester = await visit('requester', '/tasks/new')
  await requester.getByLabel('What do you need?').fill(hostile)
  await requester.getByLabel('Reward in USDC').fill('1')
  await requester.getByRole('radio', { name: /^Pitch/ }).check()
  await requester.getByRole('button', { name: 'Review and sign' }).click()
  await requester.getByRole('button', { name: 'Post for 1.00 USDC' }).click()
  await requester.waitForURL(/\/tasks\/TSK-/)
  const path = new URL(requester.url()).pathname
  await expectHarmless(requester)

  await act('alice', path, {
    button: 'Pitch',
    fill: async (dialog) => dialog.getByLabel('How would you do it?').fill(hostile),
    sheet: { 'Service fee': '0.001 USDC' },
    confirm: 'Pitch (fee 0.001 USDC)',
    done: 'Your pitch is in.',
    money: { alice: -1_000n },
  })
  await act('requester', path, {
    button: 'Choose a worker',
    fill: async (dialog) => {
      await expectHarmless(dialog.page())
      expect(await dialog.getByRole('radio').count()).toBe(1)
    },
    sheet: { 'Service fee': '0.001 USDC' },
    confirm: 'Choose this worker (fee 0.001 USDC)',
    done: 'The worker is chosen and can deliver now.',
    money: { requester: -1_000n },
  })
  await deliver('alice', path, { name: '"><img src=x onerror=alert(4)>.txt', text: hostile })
  const shown = await visit('bob', path)
  await shown.getByText('matches the manifest').waitFor()
  await shown.getByRole('button', { name: 'Show' }).click()
  await shown.locator('pre.shown').waitFor()
  await expectHarmless(shown)
  await act('requester', path, {
    button: 'Accept and pay',
    fill: async (dialog) => {
      await expectHarmless(dialog.page())
    },
    sheet: expect.anything(),
    confirm: 'Accept and pay (fee 0.001 USDC)',
    done: 'Accepted and paid.',
    money: { requester: -1_000n, alice: 925_000n, feeRecipient: 75_000n },
  })
  await act('requester', path, {
    button: 'Rate the worker',
    fill: async (dialog) => {
      await dialog.getByLabel('Rating, 0 to 100').fill('1')
      // The service takes no control characters here.
      await dialog.getByLabel('What was it like?').fill(hostile.replace('\u0007', ''))
    },
    sheet: expect.anything(),
    confirm: 'Rate the worker (fee 0.001 USDC)',
    done: 'Rated.',
    money: { requester: -1_000n },
  })
  const agent = addressOf('alice').toLowerCase()
  const asker = addressOf('requester').toLowerCase()
  for (const page of [
    '/',
    '/tasks?state=all',
    path,
    `/agents/${agent}`,
    `/requesters/${asker}`,
    '/leaderboard',
    '/me',
  ]) {
    await expectHarmless(await visit('requester', page))
  }
  const me = await visit('requester', '/me')
  await me.getByRole('heading', { name: 'Posted by you' }).waitFor()
  await expectHarmless(me)
})
