import { myWorkContent } from '../act/my-work.ts'
import type { Page } from '../html/layout.ts'

/**
 * Creates the empty page for a wallet's inbox and action queue. A script of the page adds the content, so the served
 * page is the same for every visitor.
 */
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
