import { BASES } from '../contract/vocabulary.ts';
import type { Pedido } from '../query/parameters.ts';
import type { SearchPage } from './page.ts';

/**
 * Why a search found nothing: a word that is in no decision of its bases; else a filter, by court, type or date, without which it
 * may have found some; else its words are never together as asked.
 */
export const NOTHING_REASONS = ['absent_word', 'filter', 'words_apart'] as const;

/** Null for a page with decisions, a later page, and one that lacks a base, which may have some. */
export function whyNothing(pedido: Pedido | null, page: SearchPage): (typeof NOTHING_REASONS)[number] | null {
  if (pedido?.cursor !== null || page.itens.length + page.bases_sem_resposta.length > 0) return null;
  if (page.absent.length > 0) return 'absent_word';
  const { selecao, filter } = pedido;
  const isChosen = selecao.length < BASES.length || selecao.some(({ tribunais }) => tribunais !== null);
  return isChosen || Object.values(filter).some((value) => value !== null) ? 'filter' : 'words_apart';
}
