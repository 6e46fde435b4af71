import { expect, test } from 'vitest'
import { addressOf, openClicking, openPrivate } from './clicking.ts'

const { open, visit, post, deliver } = openClicking()
const PASSWORD = 'correct horse'

/** Posts a private task with a password, to which alice is invited and delivers; its path. */
async function postPrivate(title: string): Promise<string> {
  const path = await post({
    title,
    reward: '2.00',
    fill: async (page) => {
      await page.locator('summary', { hasText: 'More' }).click()
      await page.getByLabel('Who sees the task').selectOption('private')
      await page.getByLabel(/^Password/).fill(PASSWORD)
      await page.getByLabel(/^Invited wallets/).fill(addressOf('alice'))
    },
  })
  await deliver('alice', path)
  return path
}

test('given a private task and its password alone, then a wallet sees the task with its files and may not act, until its requester invites it, who can take that back', async () => {
  const path = await postPrivate('A matter of passwords')

  const bob = await visit('bob', path)
  await bob.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
  await bob.getByRole('button', { name: 'Open' }).click()
  await bob.getByRole('heading', { level: 1, name: 'A matter of passwords' }).waitFor()
  await bob.getByText('work.txt').waitFor()
  await bob.getByText('matches the manifest').waitFor()
  await bob.getByRole('button', { name: 'Show' }).click()
  expect(await bob.locator('pre.shown').textContent()).toBe('Mia')
  await bob.getByRole('heading', { name: 'You look with the password' }).waitFor()
  expect(await bob.locator('[data-act]').count()).toBe(0)
  const look = bob.getByRole('button', { name: 'Look with my wallet' })
  await look.click()
  await bob.getByText('this wallet is not invited to it').waitFor()

  const owner = await visit('requester', path)
  await openPrivate(owner)
  await owner.getByRole('button', { name: 'Who is invited' }).click()
  const dialog = owner.getByRole('dialog')
  await dialog.getByLabel(/^Invite a wallet/).fill(addressOf('bob'))
  await dialog.getByRole('button', { name: 'Invite', exact: true }).click()
  await dialog.getByText(addressOf('bob')).waitFor()
  await dialog.getByText(addressOf('alice')).waitFor()

  await look.click()
  await bob.getByRole('button', { name: 'Deliver work' }).waitFor()
  expect(await bob.getByRole('heading', { name: 'You look with the password' }).count()).toBe(0)
  await deliver('bob', path, { name: 'bob.txt', text: 'Minka' })

  await dialog
    .getByRole('button', { name: /^Take back.*/ })
    .last()
    .click()
  await dialog.getByText(addressOf('bob')).waitFor({ state: 'detached' })
})

test('given a visitor without a wallet and the password, then a wrong password opens nothing, and by the right one the task and its files are shown without a button that a wallet needs', async () => {
  const path = await postPrivate('For eyes alone')
  const visitor = await open(path)
  expect(await visitor.content()).not.toContain('For eyes alone')
  await visitor.getByRole('textbox', { name: 'Password' }).fill('wrong')
  await visitor.getByRole('button', { name: 'Open' }).click()
  await visitor.getByText('The password is wrong').waitFor()
  await visitor.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
  await visitor.getByRole('button', { name: 'Open' }).click()
  await visitor.getByText('matches the manifest').waitFor()
  expect(await visitor.locator('[data-act]').count()).toBe(0)
})

test('given a private task that a wallet has opened, when the wallet is disconnected, then nothing of it is left in the tab', async () => {
  const path = await postPrivate('Not for the next visitor')
  const owner = await visit('requester', path)
  await openPrivate(owner)
  await owner.getByRole('heading', { level: 1, name: 'Not for the next visitor' }).waitFor()
  await owner.locator('[data-connect]').click()
  await owner.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
  await owner.getByRole('heading', { level: 1, name: 'This task is private' }).waitFor()
  expect(await owner.content()).not.toContain('Not for the next visitor')
  expect(await owner.evaluate(() => JSON.stringify(sessionStorage))).not.toContain(':read')
})
