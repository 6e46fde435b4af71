import { myWorkContent } from '../act/my-work.ts'
import { newTaskContent } from '../act/new-task.ts'
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

/** The form of a new task. Without scripts it says how else a task is posted. */
export function newTaskPage(): Page {
  return {
    title: 'Post a task',
    description: 'Put a reward into escrow, say what you need, and pay the one who delivers.',
    path: '/tasks/new',
    section: 'tasks',
    layout: 'split',
    islands: ['create'],
    body: newTaskContent(),
  }
}
