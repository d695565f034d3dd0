import type { Base } from '../../../contract/vocabulary.ts';
import type { CoverageActor } from '../../../search/coverage.ts';
import type { Point, Recent } from '../base-gauge.ts';
import type { KeyReport } from '../keys-routes.ts';
import type { BaseState, LiveSecond, LiveSeries } from '../live-routes.ts';
import type { NodeReport, NodesReport } from '../nodes-report.ts';
import type { BaseFilesReport, ProcessReport } from '../part.ts';
import type { Passo, SearchRecord } from '../search-picks.ts';
import type { FoundPage } from '../search-routes.ts';
import type { SettingsReport } from '../settings-routes.ts';
import type { Place, Unwritten } from '../tuning.ts';
import type { ComponentChildren } from 'preact';

export type { Percentiles } from '../totals.ts';
export type { ServiceRecent } from '../service-figures.ts';
export type { Change, LiveKey, SettingReport } from '../tuning.ts';
export type {
  Base,
  BaseState,
  FoundPage,
  LiveSecond,
  LiveSeries,
  Passo,
  Point,
  Recent,
  SearchRecord,
  SettingsReport,
  Unwritten,
};

export type Key = KeyReport;
export type Process = ProcessReport;
export type Node = NodeReport;
export type BaseFile = BaseFilesReport['bases'][number];
export type Coverage = CoverageActor['current'] & { readonly anos: CoverageActor['years'] };

/** Of `GET /console/api/…`, by path. */
export interface Answers {
  readonly serie: LiveSeries;
  readonly ajustes: SettingsReport;
  readonly bases: BaseFilesReport;
  readonly busca: FoundPage;
  readonly buscas: {
    readonly lenta_ms: number;
    readonly com_texto: boolean;
    readonly buscas: readonly SearchRecord[];
  };
  readonly chaves: { readonly chaves: readonly Key[]; readonly danificadas: readonly string[] };
  readonly cobertura: Coverage;
  readonly gravar: { readonly arquivo: string; readonly a_gravar: readonly Unwritten[] };
  readonly nos: NodesReport;
  readonly processos: { readonly processos: readonly Process[] };
}

/** Of `POST /console/api/gravar`. */
export interface Written {
  readonly arquivo: string;
  readonly gravados: readonly object[];
  readonly sobrepostos: readonly (Omit<Unwritten, 'ao_reiniciar'> & {
    readonly variavel: string;
    readonly ao_reiniciar: number | null;
  })[];
}

/** A column of a table: its name, the class of its cells, what a cell shows, and what the heading has below the name. */
export type Column<T> = readonly [
  name: string,
  kind: string | ((of: T) => string),
  show: (of: T) => ComponentChildren,
  below?: ComponentChildren,
];

/** A line of a chart; `cor` is its colour in the style sheet, `traco` its dashes. */
export interface Line {
  readonly rotulo: string;
  readonly cor: string;
  readonly traco?: number[];
  readonly de: (point: Point) => number | null;
}

export interface Metric {
  readonly id: string;
  readonly nome: string;
  readonly unidade: string;
  /** On a logarithmic scale. */
  readonly log: boolean;
  readonly maximo?: number;
  readonly escreve: (value: number | null) => string;
  readonly linhas: readonly Line[];
  /** What a period comes to. */
  readonly resumo: (points: readonly Point[]) => string;
}

/** A change of a setting, on a chart. */
export interface Mark {
  readonly em: number;
  readonly texto: string;
}

/** The figures of a second, on a chart. */
export interface Reading {
  readonly em: number;
  readonly valores: readonly (number | null | undefined)[];
}

export type Range = [from: number, to: number];

/** What all charts show. */
export interface Frame {
  /** Its name, and its first and last second. */
  readonly period: string;
  readonly range: Range;
  /** The same for all charts of a metric, so that they compare. */
  readonly yRangeOf: (metric: Metric) => Range;
}

/** What the form of a base's settings shows, or that of the service's. */
export interface FormShown {
  readonly base: Place;
  /** Null before they were loaded. */
  readonly settings: SettingsReport | null;
  readonly isLarge: boolean;
  /** Called when a setting has changed; loads the settings anew. */
  readonly onChanged: () => Promise<void>;
}

/** What the panel of a base shows. `isLarge`: with a chart of each metric, names at the marks, and open settings. */
export interface Shown extends FormShown {
  readonly base: Base;
  /** Null without contact. */
  readonly state: BaseState | null;
  /** Null before the first second, and before they were loaded. */
  readonly recent: Recent | null;
  readonly file: BaseFile | null;
  /** True where the file is not here. */
  readonly isOnNodes: boolean;
  /** In seconds, by the service's clock. */
  readonly now: number;
  readonly metrics: readonly Metric[];
  readonly frame: Frame;
  /** Of the shown period. */
  readonly points: readonly Point[];
  readonly marks: readonly Mark[];
  readonly onResize: () => void;
  /** Called with a second whose searches are wanted; null is now. */
  readonly onPick: (em: number | null) => void;
}
