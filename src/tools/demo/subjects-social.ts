/** Social-security, housing and federal small-claims subjects; the notation is subject.ts's. */
export const SOCIAL_SUBJECTS = `
# pensao-morte | previdencia | DIREITO PREVIDENCIÁRIO
t a pensão por morte|a qualidade de segurado|a dependência econômica|a união estável|o filho inválido|o termo inicial do benefício|a cota da pensão|o instituidor da pensão
h PENSÃO POR MORTE|QUALIDADE DE SEGURADO|DEPENDÊNCIA ECONÔMICA|UNIÃO ESTÁVEL|FILHO MAIOR INVÁLIDO|COMPANHEIRA|TERMO INICIAL|PROVA TESTEMUNHAL
s A pensão por morte rege-se pela lei vigente na data do óbito, ocorrido em {D}.
s A dependência econômica da companheira é presumida, e a união estável com {F} ficou provada.
s O falecido mantinha a qualidade de segurado, pois fazia jus a benefício por incapacidade em razão de {doenca}.
s A invalidez do filho deve ser anterior ao óbito, ainda que posterior à maioridade.
s O autor {apresentou/juntou/exibiu/trouxe/anexou/colacionou/acostou/ofertou} {doc} e {doc} como início de prova.
s O casal {Fm} e {Ff} viveu em {U} até {D}.
q o falecido mantinha a condição de segurado|a convivência perdurou até o óbito|o filho já era inválido antes de completar vinte e um anos|o benefício é devido desde o falecimento
l art. 74 da Lei 8.213/1991|art. 16, I, da Lei 8.213/91|art. 15 da Lei 8.213/1991|Súmula 340 do STJ|Súmula 63 da TNU|Súmula 416 do STJ
# incapacidade | previdencia | DIREITO PREVIDENCIÁRIO
t o auxílio-doença|a aposentadoria por invalidez|a incapacidade laborativa|a perícia médica judicial|a data de início da incapacidade|o auxílio-acidente|a reabilitação profissional|a alta programada|as condições pessoais e sociais
h AUXÍLIO-DOENÇA|APOSENTADORIA POR INVALIDEZ|INCAPACIDADE PARCIAL|LAUDO PERICIAL|CONDIÇÕES PESSOAIS E SOCIAIS|AUXÍLIO-ACIDENTE|DOENÇA PREEXISTENTE|ALTA PROGRAMADA|BENEFÍCIO POR INCAPACIDADE
s O perito {entendeu/concluiu/assentou/consignou/decidiu/assinalou/reconheceu/ponderou/afirmou/registrou/anotou/pontuou} que o quadro de {doenca} reduz a capacidade do segurado para o trabalho habitual.
s A incapacidade parcial pode gerar aposentadoria por invalidez se as condições pessoais vedam o retorno ao trabalho.
s O autor, de {n} anos, trabalhava como {ocup} e tem baixa escolaridade.
s Cabe ao INSS fixar a data de cessação do auxílio-doença, garantido o pedido de prorrogação.
s A assistente {Ff} relatou que o autor atua como {ocup} e sofre de {doenca}.
s A perícia constatou {sintoma} e {sintoma}, sem incapacidade atual.
s O médico {especialista} {Fm} {atestou/constatou/diagnosticou/identificou/detectou/apontou} {doenca} em {D}.
s O laudo de {exame} feito em {U} não revela {agravamento/progressão/sequela/compressão/lesão aguda/alteração relevante}.
s A autora, {ocupa}, {queixa-se/reclama/padece} de {sintoma} e faz uso {contínuo/regular/diário/intermitente} de {med}.
s O segurado trabalhou no setor de {setor}, onde {operava/manejava/acionava/utilizava/manuseava} {maq}.
s O perito recomendou {exame} e avaliação por {especialista}.
s O perito judicial {F} examinou o autor e descreveu o quadro de {doenca}.
s O segurado faz uso contínuo de {med}, segundo o relatório de {X}.
s O laudo (evento {n}) {V mostra} que o autor está acometido de {doenca}.
s O requerente sofreu {lesao} em {D}, quando atuava como {ocup}.
q a inaptidão é anterior ao reingresso no regime|o segurado pode ser reabilitado para outra atividade|as condições pessoais recomendam a aposentadoria|o benefício pode cessar sem nova perícia
l art. 42 da Lei 8.213/1991|art. 59 da Lei 8.213/1991|art. 60, § 9º, da Lei 8.213/91|art. 86 da Lei 8.213/1991|Súmula 47 da TNU|Súmula 77 da TNU
# especial | previdencia | DIREITO PREVIDENCIÁRIO
t a aposentadoria especial|o tempo especial|a exposição a ruído|o perfil profissiográfico previdenciário|o agente nocivo|a conversão de tempo especial|o EPI eficaz|a metodologia de aferição do ruído|a atividade de vigilante
h TEMPO ESPECIAL|RUÍDO|PERFIL PROFISSIOGRÁFICO PREVIDENCIÁRIO|AGENTE NOCIVO|APOSENTADORIA ESPECIAL|EPI EFICAZ|HIDROCARBONETOS|VIGILANTE|ELETRICIDADE|METODOLOGIA DE AFERIÇÃO
s O perfil profissiográfico registra ruído de {n} decibéis na função exercida em {E}.
s A exposição a {agente} dispensa análise quantitativa, por constar da lista de agentes cancerígenos.
s O uso de EPI eficaz não afasta o tempo especial quando o agente é o ruído.
s A técnica de medição indicada no formulário não segue a norma de higiene ocupacional.
s O formulário de {E} indica o setor de {setor} e o uso de {epi}.
s O segurado trabalhou no setor de {setor}, onde {operava/manejava/acionava/utilizava/manuseava} {maq}.
s O autor trabalhou como {ocup} em {E}, exposto a {agente}.
q o formulário foi preenchido por responsável técnico|o nível de pressão sonora superou o limite da época|a proteção individual eliminou a nocividade|a exposição era permanente
l art. 57 da Lei 8.213/1991|art. 58, § 1º, da Lei 8.213/91|Tema 555 do STF|Decreto 3.048/1999|Tema 174 da TNU|Súmula 9 da TNU|NHO 01 da Fundacentro
# rural | previdencia | DIREITO PREVIDENCIÁRIO
t a aposentadoria por idade rural|o segurado especial|o início de prova material|o regime de economia familiar|o salário-maternidade|a atividade rural|a aposentadoria híbrida|o boia-fria|a prova testemunhal
h APOSENTADORIA POR IDADE RURAL|SEGURADO ESPECIAL|INÍCIO DE PROVA MATERIAL|ECONOMIA FAMILIAR|APOSENTADORIA HÍBRIDA|SALÁRIO-MATERNIDADE|PERÍODO DE CARÊNCIA|PROVA ORAL
s A certidão que qualifica {F} como lavrador é início de prova material do labor em {U}.
s O cultivo de {cult} em regime de economia familiar ficou provado por notas de produtor.
s O trabalho urbano do cônjuge não descaracteriza, só por si, o segurado especial.
s O tempo rural remoto conta para a aposentadoria híbrida, ainda que sem contribuição.
s O autor {apresentou/juntou/exibiu/trouxe/anexou/colacionou/acostou/ofertou} {doc} e {doc} como início de prova.
s O labor rural na Fazenda {K2}, em {U}, foi confirmado por {X}.
s A testemunha {X} conhece a parte autora desde a infância e a viu plantar {cult}.
s A parte autora vende {cult} e {cult} na feira de {U}.
s A família {reside/mora/vive} em casa cedida no bairro {bairro}, em {U}, e planta {cult}.
q os documentos em nome de terceiro do grupo familiar aproveitam ao requerente|o período de trabalho no campo foi contínuo|a extensão da terra descaracteriza o regime|a prova oral confirma os documentos
l art. 143 da Lei 8.213/1991|art. 48, § 3º, da Lei 8.213/91|art. 55, § 3º, da Lei 8.213/1991|Súmula 149 do STJ|Súmula 6 da TNU|Tema 1.007 do STJ
# assistencial | previdencia | ASSISTÊNCIA SOCIAL
t o benefício de prestação continuada|a miserabilidade|a renda familiar per capita|o impedimento de longo prazo|o estudo social|a pessoa com deficiência|o grupo familiar|o cadastro único
h BENEFÍCIO ASSISTENCIAL|LOAS|MISERABILIDADE|RENDA PER CAPITA|IMPEDIMENTO DE LONGO PRAZO|ESTUDO SOCIOECONÔMICO|PESSOA COM DEFICIÊNCIA|AVALIAÇÃO BIOPSICOSSOCIAL
s A renda de {S} do grupo familiar supera o limite, mas o estudo social revela a miserabilidade.
s O autor, portador de {doenca}, enfrenta barreiras que obstruem a sua participação plena.
s O benefício no valor de um salário mínimo recebido por idoso não entra no cálculo da renda.
s A visita domiciliar em {U} apurou moradia precária e gastos com {med}.
s A perícia constatou {sintoma} e {sintoma}, sem incapacidade atual.
s O médico {especialista} {Fm} {atestou/constatou/diagnosticou/identificou/detectou/apontou} {doenca} em {D}.
s A assistente social {Ff} descreveu a casa de {bairro}, com {piso de cimento/teto de zinco/paredes sem reboco/dois cômodos/fogão a lenha/móveis usados/quintal/água encanada}.
s O grupo familiar gasta {S} com {med} e {alimentação/fraldas/transporte/aluguel/luz/água/gás/leite especial}.
s O perito judicial {F} examinou o autor e descreveu o quadro de {doenca}.
s A família {reside/mora/vive} em casa cedida no bairro {bairro}, em {U}, e planta {cult}.
q o grupo tem meios de prover a própria subsistência|o impedimento se prolonga por mais de dois anos|o benefício de outro idoso entra no cálculo|as barreiras sociais restringem a participação do requerente
l art. 20, § 3º, da Lei 8.742/1993|art. 203, V, da Constituição Federal|Súmula 48 da TNU|Súmula 80 da TNU|Tema 173 da TNU|Lei 13.146/2015
# revisao | previdencia | DIREITO PREVIDENCIÁRIO
t a revisão de benefício|o salário de benefício|a decadência do direito de revisão|o fator previdenciário|a renda mensal inicial|a desaposentação|a devolução de valores recebidos|o teto previdenciário|a aposentadoria por tempo de contribuição
h REVISÃO DA RENDA MENSAL INICIAL|DECADÊNCIA|TETO PREVIDENCIÁRIO|FATOR PREVIDENCIÁRIO|DEVOLUÇÃO DE VALORES|BOA-FÉ|TEMPO DE CONTRIBUIÇÃO|REAFIRMAÇÃO DA DER|ATIVIDADES CONCOMITANTES
s O direito de revisão decai em dez anos, contados do mês seguinte ao primeiro pagamento.
s Os valores recebidos de boa-fé por {F}, {no total de/no montante de/na importância de/na soma de} {R}, não precisam ser devolvidos.
s A reafirmação da data de entrada do requerimento é possível até o fim do segundo grau.
s A soma das contribuições concomitantes deve respeitar o teto.
q o prazo decenal atinge a questão não apreciada na via administrativa|o limite máximo alcança benefícios antigos|o segurado recebeu as parcelas de boa-fé|o requisito foi completado no curso do processo
l art. 103 da Lei 8.213/1991|art. 29 da Lei 8.213/1991|Emenda Constitucional 20/1998|Tema 995 do STJ|Tema 979 do STJ|Emenda Constitucional 103/2019
# sfh | previdencia civil habitacao | SISTEMA FINANCEIRO DA HABITAÇÃO
t o contrato de mútuo habitacional|a Caixa Econômica Federal|os vícios de construção|o Programa Minha Casa Minha Vida|a consolidação da propriedade|o leilão extrajudicial|o saldo devedor|o seguro habitacional|o saque do FGTS
h VÍCIOS DE CONSTRUÇÃO|MINHA CASA MINHA VIDA|CAIXA ECONÔMICA FEDERAL|CONSOLIDAÇÃO DA PROPRIEDADE|LEILÃO EXTRAJUDICIAL|PURGAÇÃO DA MORA|SEGURO HABITACIONAL|LEGITIMIDADE PASSIVA
s A Caixa Econômica Federal responde pelos vícios de construção quando atua como gestora do programa.
s O devedor não foi intimado da data do leilão do imóvel de {U}, o que o torna nulo.
s O laudo apontou {vicio} em todas as paredes do Residencial {K2}.
s O saque do FGTS para tratar {doenca} é possível, por ser exemplificativo o rol da lei.
s O imóvel apresenta {vicio} e {vicio}, segundo a perita {Ff}.
s A Caixa Econômica Federal foi citada na agência de {U}.
s O imóvel da {rua}, em {U}, foi vistoriado pelo engenheiro {Fm}.
q o agente financeiro responde pela solidez da obra|o mutuário foi intimado da data do leilão|a apólice cobre defeitos da edificação|o fundo pode ser sacado fora das hipóteses da lei
l art. 26 da Lei 9.514/1997|Lei 11.977/2009|art. 20 da Lei 8.036/1990|art. 27 da Lei 9.514/97|Tema 1.011 do STF
# uniformizacao | previdencia | PROCESSO DOS JUIZADOS ESPECIAIS FEDERAIS
t o pedido de uniformização|a similitude fático-jurídica|o incidente de uniformização|a turma recursal|o reexame de prova|a questão de ordem|o representativo da controvérsia|a turma nacional de uniformização
h PEDIDO DE UNIFORMIZAÇÃO NACIONAL|AUSÊNCIA DE SIMILITUDE|REEXAME DE PROVA|QUESTÃO DE ORDEM 22|INCIDENTE NÃO CONHECIDO|ACÓRDÃO PARADIGMA|TEMA REPRESENTATIVO|SÚMULA 42 DA TNU
s O pedido de uniformização não comporta reexame de prova sobre o quadro de {doenca}.
s Não há similitude fático-jurídica entre o acórdão da turma recursal e o paradigma.
s O incidente veicula matéria processual, estranha à competência da turma nacional de uniformização.
s Fixada a tese, os autos voltam à turma recursal de {U} para adequação.
q os julgados confrontados cuidam da mesma questão de direito|o incidente pretende rever fatos|a tese do paradigma já foi superada|o feito deve retornar à origem para ajuste
l art. 14 da Lei 10.259/2001|Súmula 42 da TNU|Súmula 43 da TNU|Questão de Ordem 20 da TNU|art. 1.036 do CPC
# militar | administrativo previdencia | DIREITO ADMINISTRATIVO MILITAR
t a reforma de militar|o licenciamento de militar|a pensão especial de ex-combatente|o anistiado político|o seguro-desemprego|o auxílio emergencial|o serviço militar obrigatório|o seguro-defeso
h MILITAR TEMPORÁRIO|REFORMA|ANISTIA POLÍTICA|SEGURO-DEFESO|PESCADOR ARTESANAL|AUXÍLIO EMERGENCIAL|SEGURO-DESEMPREGO|REINTEGRAÇÃO
s O pescador {Fm}, com registro em {U}, faz jus ao seguro-defeso do período.
s O militar temporário acometido de {doenca} não tem direito à reforma se pode trabalhar na vida civil.
s A negativa do auxílio emergencial fundou-se em cadastro desatualizado.
q a enfermidade guarda relação com o serviço na caserna|o pescador exercia a atividade de forma exclusiva|o desligamento foi motivado por perseguição política|o requerente preenchia o limite de renda
l Lei 6.880/1980|Lei 10.559/2002|Lei 10.779/2003|Lei 13.982/2020|Lei 7.998/1990
`;
