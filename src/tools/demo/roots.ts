/** Word parts from which vocabulary.ts coins names and technical terms without end. */
// prettier-ignore
export const SURNAME_STARTS = split(`
Al Ber Bor Bra Cal Cam Car Cas Cor Cos Dal Del Dor Fal Fer Fon Gal Gar Gon Guer Gui Ja Ju La Le Lo Lu Ma Mal Man Mar Mas
Me Men Mi Mon Mo Na No O Or Pa Pe Per Pi Pin Po Por Qui Ra Re Ri Ro Sa Sal San Sar Se Ser Si So Sou Ta Te Ti Tor Tra Va
Val Ve Ver Vi Vil Za Ze`);
export const SURNAME_MIDDLES = split(`
ba be bi bo ca co cha che da de di do fa fe fo ga go gue la le li lo lha lhe ma me mi mo na ne ni no nha pa pe pi po ra re
ri ro rra rre sa se si so ssa ta te ti to tte va ve vi vo za ze zi`);
export const SURNAME_ENDS = split(`
relli ldi ntini ssoni tto zzi nelli rdo ndes rdes lves nches ques ros chado deiro lhães nho neiro reira veira mões lhosa drosa
tosa daré rato nato lato veda leda neda tilho drade ves dão tão zão rini lini nini bini vini tski nski wicz mann berg stein
ler ner ster`);
export const PLACE_STARTS = split(`
Abae Aca Agua Ara Arari Bari Boi Botu Caa Cai Camba Capi Cara Carai Cata Coru Cunha Gua Guara Guaxi Ibi Ica Iga Ipe Ira Ita
Itaju Itape Jabo Jaca Jagua Japa Jequi Jua Jura Maca Mara Mbo Mogi Moru Muri Nhan Pari Pira Pita Poti Sapu Soro Suru Taba
Tabo Taia Tapi Taru Tibi Tupi Ubá Uru Vara`);
export const PLACE_MIDDLES = split(`
ba be bo ca cu ga gua gui i ju la ma mi mo na ne nha nho pa pe pi po ra re ri ro ru ta te ti to tu va vi xi`);
export const PLACE_ENDS = split(`
açu aí aíba ajá anga antã apé ara arema atuba enema etuba guaba í iba ibe inga ipe irim itinga iúna oca onga oré otuba pora
quara rama rana taba tiba tinga una uçu umirim ussu vera`);
export const TERM_STARTS = split(`
aero alco andro angio anti apo arterio atero auto bio bronco cardio cefalo ceto cito cloro cripto cromo dermo des dinamo
eco electro endo entero epi eritro espectro estereo eto exo fibro filo fito fluoro foto gastro geo glico halo hemo
hepato hetero hidro hiper hipo histo homo infra inter iso lacto leuco lipo macro magneto maxi meta metilo micro mio mono
morfo multi nano nefro neo neuro nitro oligo orto osteo oto oxi para petro piro plasmo pneumo poli pseudo psico
quimio radio retro rino sacro semi silico sobre sub sulfo super tele termo toxo trans tri ultra vaso zoo`);
export const TERM_MIDDLES = split(`
bla blast carb cef cicl cist clast crin crom cut demi derm dox drom fag fen fer fil fon for gen glob graf gram lact latr
lept lis lit log mal mant mat metr mor nat nem nom ox pat ped pep pid plas plex pod pol por pter quin rect rrag sarc sat
sep sider sit som spor stat sten taf tec ten ter tip tom top trof trop vac ven vir vit xant zim`);
export const DISEASE_ENDS = split(`
ite ose opatia emia algia oplegia otrofia oma ismo openia oesclerose omalácia ectasia oartrite uria ossarcoma otoxemia`);
export const DRUG_STARTS = split(`
abe ada ale ami apre ati axi bela beva bri cabo cana cari certo clo dabi daru dasa deno dola dupi ecu eli empa enza ero eto
eve fampri fingo galan gefi gole ibru ida imi ipi ixe lami lena levo lina lora mepo mida mira nati nilo nin ocre ola oma osi
ozo palbo pani pazo pembro perto pira poma prega rami rani rego ribo riva ruxo seki seku sema sipo sora suni tafi tali teno
teri toci tofa trame trastu upa usta vala vari vedo vene vora zano zole`);
export const DRUG_MIDDLES = split(`
be bi bu ca ci clo co cri da de di do fa fi fu ga gli la li lo lu ma mi mo na ni no nu pa pi po ra ri ro ru sa si so su ta ti
to tri tu va ve vi xa xi za zi zo zu`);
export const DRUG_ENDS = split(`
mabe ximabe zumabe tinibe nibe lisibe clibe gliptina gliflozina prazol sartana lol pril statina vir navir ciclovir cilina
micina floxacina dipina setina pina tidina triptana parina xabana dronato caína lona sona mide mida tide glutida lamina zepam
barbital tecano platina rubicina taxel ferona rbine`);
export const CHEMICAL_STARTS = split(`
acet benz bromo buta ciano ciclo cloro cresil dibut diclo dimet epoxi estear etil etoxi fenil fluoro form fosfo furf glicer
hepta hexa isobut isoprop lauril metil metoxi monoet nafta nitro octa oleil oxal penta poli prop propil sulfo tetra tiol tolu
trietil trime vinil xilo`);
export const CHEMICAL_MIDDLES = split(`
ba be bi bro ce cli clo di fa fe fi fo fu ga la li lo ma me mi na ni no pe pi po ra ri ro sa si so ta te ti to
xi za`);
export const CHEMICAL_ENDS = split(`
leno nol rina rato tano na namida nilina tetano furano lina nitrila róxido límero tureia zina farina fenol crilato ilato`);
export const COMPANY_STARTS = split(`
Agro Alfa Alvo Bel Brasil Bravo Cen Cobra Com Coper Cris Data Diva Dura Eco Elo Ener Euro Fer Flex Forte Gran Hiper Imo
Inova Inter Lider Log Lumi Max Mega Metal Mine Multi Nor Nova Omni Orto Pan Petro Plani Plas Poli Prima Pro Quali Rio Roda
Sani Seg Serv Sider Sol Sul Tec Tele Terra Top Trans Tri Uni Vale Vega Via Vita`);
export const COMPANY_MIDDLES = split(`
ba bra ca ce co cre da de di do du fa fi fo ga go la le li lo ma me mi na ne no pa pe po ra re ri ro sa se si so ta te ti to
tra va ve vi vo za`);
export const COMPANY_ENDS = split(`
bras cel cim corp dex dora fort gás gel lan lar lev lim lux mac mar max med mil min mix nave net nix pac par pel pex plan
prev quim ral ran rol rex sec sul tec tel tex tom tran trix val vel ven vest vic zan`);
// prettier-ignore
export const GIVEN_NAMES_MEN = split(`
Ademar Alceu Álvaro Anselmo Armando Bento Caio Cássio Celso Clóvis Damião Diego Edgar Eduardo Elias Emanuel Fábio
Felipe Francisco Geraldo Gilberto Gustavo Heitor Hélio Henrique Hugo Ivan Jairo Joaquim Jonas Júlio Lauro Leandro
Lúcio Marcelo Mário Mateus Mauro Moacir Nelson Orlando Oscar Otávio Paulo Rafael Renato Roberto Rubens Samuel Sérgio
Tiago Ulisses Vicente Vítor Wagner`);
export const GIVEN_NAMES_WOMEN = split(`
Adriana Aline Amélia Aparecida Augusta Bárbara Benedita Bianca Camila Cecília Clarice Cláudia Cristina Dalva Débora
Denise Dirce Edna Elaine Elisa Érica Ester Eugênia Fátima Flávia Gabriela Gilda Glória Helena Hilda Iara Inês Irene
Isabel Janaína Joana Josefa Karina Laura Leila Leonor Lígia Lourdes Luzia Márcia Maria Marta Miriam Mônica Nádia
Natália Nilza Norma Olga Patrícia Priscila Raquel Regina Rita Rosana Sandra Sílvia Sônia Tânia Telma Teresa Vanda Vera
Zélia`);
export const GIVEN_NAMES = [...GIVEN_NAMES_MEN, ...GIVEN_NAMES_WOMEN];

function split(text: string): readonly string[] {
  return text.trim().split(/\s+/u);
}
