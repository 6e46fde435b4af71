import { myWorkContent } from '../act/my-work.ts'
import type { Page } from '../html/layout.ts'

/** The inbox and the action queue of a wallet: a page that never depends on who looks, with the place of an island. */
export function mePage(): Page {
  return {
    title: 'My work',
    path: '/me',
    section: 'me',
    isUnlisted: true,
    layout: 'split',
    islands: ['me'],
    body: myWorkContent(),
  }
}
